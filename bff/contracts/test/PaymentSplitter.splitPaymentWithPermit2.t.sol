// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestSmartAccount} from "devnet/TestSmartAccount.sol";
import {IPaymentSplitter} from "../src/IPaymentSplitter.sol";
import {PaymentDetails} from "../src/PaymentDetails.sol";
import {Vm} from "./ForgeTest.sol";
import {Permit2Test} from "./Permit2Test.sol";

interface ISignatureTransfer {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
    function permitTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes calldata signature
    ) external;
}

contract SplitPaymentWithPermit2Test is Permit2Test {
    function test_anyoneBringsASignedPaymentOfATokenWithoutAuthorizations(
        address relayer,
        uint256 amount,
        uint256 share2,
        uint256 share3
    ) public {
        PaymentDetails memory details = withShares(usdtDetails(), share2, share3);
        details.amount = bound(amount, 1, 1e30);
        usdt.mint(payer, details.amount);
        bytes memory signature = signTerms(details, deadline);
        vm.recordLogs();
        vm.prank(relayer);
        splitter.splitPaymentWithPermit2(details, payer, deadline, signature);
        assertSplit(details, details.amount);
        assertBalance(details, payer, 0, "payer");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs[logs.length - 1].topics[1], bytes32(uint256(uint160(payer))), "the payer is who signed");
    }

    function test_whoBringsItCanChangeNothing(uint256 what, uint256 seed) public {
        PaymentDetails memory signed = withShares(usdtDetails(), 150, 250);
        usdt.mint(payer, DUE);
        bytes memory signature = signTerms(signed, deadline);
        PaymentDetails memory forged = withShares(usdtDetails(), 150, 250);
        what %= 8;
        uint256 usedDeadline = deadline;
        address other = address(uint160(bound(seed, 1e6, type(uint160).max)));
        if (what == 0) forged.recipient1 = other;
        if (what == 1) forged.recipient2 = other;
        if (what == 2) forged.recipient3 = other;
        if (what == 3) (forged.recipient1Percentage, forged.recipient2Percentage) = (9_400, 350);
        if (what == 4) forged.amount = bound(seed, 1, DUE - 1);
        if (what == 5) forged.paymentId = "another";
        if (what == 6) usedDeadline += 1;
        if (what == 7) forged.token = address(usdc);
        expectError(INVALID_SIGNER);
        vm.prank(STRANGER);
        splitter.splitPaymentWithPermit2(forged, payer, usedDeadline, signature);
        expectError(INVALID_SIGNER);
        splitter.splitPaymentWithPermit2(signed, other, deadline, signature);
        splitter.splitPaymentWithPermit2(signed, payer, deadline, signature);
        assertSplit(signed, DUE);
    }

    function test_nobodyBringsItToPermit2Himself(address taker) public {
        if (taker == address(splitter)) return;
        PaymentDetails memory details = usdtDetails();
        usdt.mint(payer, DUE);
        bytes memory signature = signTerms(details, deadline);
        bytes32 hash = splitter.termsHash(details);
        ISignatureTransfer permit2 = ISignatureTransfer(PERMIT2);
        ISignatureTransfer.PermitTransferFrom memory permit = ISignatureTransfer.PermitTransferFrom(
            ISignatureTransfer.TokenPermissions(address(usdt), DUE), uint256(hash), deadline
        );
        ISignatureTransfer.SignatureTransferDetails memory moved = ISignatureTransfer.SignatureTransferDetails(taker, DUE);
        bytes32 witness = keccak256(abi.encode(keccak256("PaymentTerms(bytes32 termsHash)"), hash));
        expectError(INVALID_SIGNER);
        vm.prank(taker);
        permit2.permitWitnessTransferFrom(permit, moved, payer, witness, TERMS_WITNESS, signature);
        expectError(INVALID_SIGNER);
        vm.prank(taker);
        permit2.permitTransferFrom(permit, moved, payer, signature);
    }

    function test_itPaysOnceByWhicheverDoor() public {
        PaymentDetails memory details = usdtDetails();
        usdt.mint(payer, 3 * DUE);
        bytes memory signature = signTerms(details, deadline);
        splitter.splitPaymentWithPermit2(details, payer, deadline, signature);
        expectAlreadyUsed(details);
        splitter.splitPaymentWithPermit2(details, payer, deadline, signature);
        vm.prank(payer);
        usdt.approve(address(splitter), DUE);
        expectAlreadyUsed(details);
        pay(details);
        assertBalance(details, payer, 2 * DUE, "payer: charged once");
    }

    function test_anExpiredPermitPaysNothing() public {
        PaymentDetails memory details = usdtDetails();
        usdt.mint(payer, DUE);
        bytes memory signature = signTerms(details, deadline);
        vm.warp(deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.DeadlinePassed.selector, deadline, block.timestamp));
        splitter.splitPaymentWithPermit2(details, payer, deadline, signature);
        vm.warp(deadline);
        splitter.splitPaymentWithPermit2(details, payer, deadline, signature);
        assertSplit(details, DUE);
    }

    function test_withoutTheApprovalNothingIsTaken() public {
        PaymentDetails memory details = usdtDetails();
        usdt.mint(payer, DUE);
        vm.prank(payer);
        usdt.approve(PERMIT2, 0);
        bytes memory signature = signTerms(details, deadline);
        vm.expectRevert(bytes("TRANSFER_FROM_FAILED"));
        splitter.splitPaymentWithPermit2(details, payer, deadline, signature);
        vm.assertTrue(!splitter.isPaid(splitter.termsHash(details)), "not marked");
    }

    function test_whatATokenWithAFeeLeavesIsDivided() public {
        PaymentDetails memory details = usdtDetails();
        usdt.mint(payer, DUE);
        usdt.setParams(19, 49);
        splitter.splitPaymentWithPermit2(details, payer, deadline, signTerms(details, deadline));
        // The token takes 0.19 % on the way here, and again on the way to the recipients.
        assertBalance(details, MERCHANT, 98_126_056, "merchant");
        assertBalance(details, address(splitter), 0, "splitter");
        vm.assertTrue(splitter.isPaid(splitter.termsHash(details)), "marked as paid");
    }

    function test_aSmartAccountSignsWithMoreThan65Bytes() public {
        TestSmartAccount account = new TestSmartAccount(payer);
        PaymentDetails memory details = usdtDetails();
        usdt.mint(address(account), DUE);
        vm.prank(address(account));
        usdt.approve(PERMIT2, DUE);
        bytes memory signature = abi.encodePacked(address(account), signTerms(details, deadline));
        splitter.splitPaymentWithPermit2(details, address(account), deadline, signature);
        assertSplit(details, DUE);
    }

    function test_noGasLimitOfARelayerMakesAShareParked(uint256 gasLimit) public {
        PaymentDetails memory details = withShares(usdtDetails(), 150, 250);
        usdt.mint(payer, DUE);
        bytes memory call =
            abi.encodeCall(splitter.splitPaymentWithPermit2, (details, payer, deadline, signTerms(details, deadline)));
        vm.prank(STRANGER);
        (bool isPaid,) = address(splitter).call{gas: bound(gasLimit, 60_000, 500_000)}(call);
        if (isPaid) assertSplit(details, DUE);
        else assertBalance(details, payer, DUE, "payer");
        assertBalance(details, address(splitter), 0, "splitter");
    }
}
