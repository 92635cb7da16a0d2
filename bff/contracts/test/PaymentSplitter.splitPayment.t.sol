// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IPaymentSplitter} from "../src/IPaymentSplitter.sol";
import {PaymentDetails} from "../src/PaymentDetails.sol";
import {Vm} from "./ForgeTest.sol";
import {MoodyToken, UnevenToken, YesToken} from "./SplitTokens.sol";
import {SplitterTest} from "./SplitterTest.sol";

contract SplitPaymentTest is SplitterTest {
    function test_itsSelectorIsTheOneExistingClientsCall() public pure {
        vm.assertTrue(IPaymentSplitter.splitPayment.selector == bytes4(0xc3ef0114), "selector");
    }

    function test_everyRecipientIsPaidToTheUnit(uint256 amount, uint256 share2, uint256 share3) public {
        PaymentDetails memory details = withShares(usdcDetails(), share2, share3);
        details.amount = bound(amount, 1, 1e30);
        pay(fund(details));
        assertSplit(details, details.amount);
        assertBalance(details, payer, 0, "payer: nothing left");
        vm.assertEq(usdc.allowance(payer, address(splitter)), 0, "no allowance is left");
    }

    function test_theEventCarriesEveryTerm() public {
        PaymentDetails memory details = fund(withShares(usdcDetails(), 150, 250));
        vm.recordLogs();
        pay(details);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory log = logs[logs.length - 1];
        vm.assertEq(log.emitter, address(splitter), "emitter");
        vm.assertEq(log.topics[0], IPaymentSplitter.PaymentSplit.selector, "topic");
        vm.assertEq(log.topics[1], bytes32(uint256(uint160(payer))), "payer");
        vm.assertEq(
            log.topics[2], splitter.termsHash(details), "where a Transfer has its recipient: the hash of the terms"
        );
        vm.assertEq(log.topics[3], bytes32(uint256(uint160(details.token))), "token");
        bytes memory shares =
            abi.encode(details.recipient1Percentage, details.recipient2Percentage, details.recipient3Percentage);
        // Nine words of head, then the id's length and its two words.
        bytes memory head = abi.encode(DUE, 0x120, DUE, MERCHANT, PLATFORM, THIRD);
        bytes memory id = abi.encodePacked(uint256(36), bytes(details.paymentId), bytes28(0));
        vm.assertEq(log.data, abi.encodePacked(head, shares, id), "data");
    }

    function test_theSameTermsPayOnce() public {
        PaymentDetails memory details = fund(usdcDetails());
        pay(details);
        fund(details);
        expectAlreadyUsed(details);
        pay(details);
        usdc.mint(STRANGER, DUE);
        vm.prank(STRANGER);
        usdc.approve(address(splitter), DUE);
        expectAlreadyUsed(details);
        vm.prank(STRANGER);
        splitter.splitPayment(details);
    }

    function test_aStrangersCallUnderTheSameIdBlocksNothing(uint256 amount, address recipient) public {
        vm.assume(recipient != address(0) && recipient != address(usdc) && recipient != address(splitter));
        PaymentDetails memory forged = usdcDetails();
        forged.amount = bound(amount, 1, DUE);
        forged.recipient1 = recipient;
        vm.assume(forged.amount != DUE || recipient != MERCHANT);
        pay(fund(forged));
        PaymentDetails memory details = fund(usdcDetails());
        vm.assertTrue(!splitter.isPaid(splitter.termsHash(details)), "not paid by other terms");
        uint256 before = usdc.balanceOf(MERCHANT);
        pay(details);
        vm.assertEq(usdc.balanceOf(MERCHANT) - before, DUE - FEE, "merchant");
    }

    function test_onlyTheCallersTokensAreTaken() public {
        PaymentDetails memory details = fund(usdcDetails());
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(splitter), 0, DUE - FEE)
        );
        vm.prank(STRANGER);
        splitter.splitPayment(details);
        assertBalance(details, payer, DUE, "payer");
    }

    function test_tooLittleAllowanceOrBalanceChangesNothing(uint256 allowed, uint256 held) public {
        PaymentDetails memory details = withShares(usdcDetails(), 2_500, 2_500);
        allowed = bound(allowed, 0, DUE);
        held = bound(held, 0, DUE);
        vm.assume(allowed < DUE || held < DUE);
        usdc.mint(payer, held);
        vm.prank(payer);
        usdc.approve(address(splitter), allowed);
        vm.expectRevert();
        pay(details);
        assertBalance(details, payer, held, "payer");
        vm.assertTrue(!splitter.isPaid(splitter.termsHash(details)), "not paid");
    }

    function test_aTokenWithoutReturnValuesPays() public {
        PaymentDetails memory details = fund(withShares(detailsOf(address(usdt)), 150, 250));
        pay(details);
        assertSplit(details, DUE);
    }

    function test_aTokensFeeIsTakenOnceAndTold(uint256 amount) public {
        usdt.setParams(19, 49);
        PaymentDetails memory details = withShares(detailsOf(address(usdt)), 150, 250);
        details.amount = bound(amount, 1, 1e12);
        fund(details);
        vm.recordLogs();
        pay(details);
        uint256 total = balanceOf(details, MERCHANT) + balanceOf(details, PLATFORM) + balanceOf(details, THIRD);
        vm.assertEq(_received(), total, "received: by how much the recipients' balances grew");
        vm.assertTrue(total >= details.amount - details.amount * 19 / BPS, "the fee was taken once");
        assertBalance(details, address(splitter), 0, "splitter");
        uint256 share2 = details.amount * 150 / BPS;
        assertBalance(details, PLATFORM, share2 - share2 * 19 / BPS, "platform, after the token's fee");
    }

    function test_aShareIsParkedAsItArrived() public {
        UnevenToken token = new UnevenToken();
        token.set(100, 0);
        token.refuse(PLATFORM, MoodyToken.Refusal.Reverts);
        PaymentDetails memory details = fund(detailsOf(address(token)));
        vm.recordLogs();
        pay(details);
        uint256 parked = FEE - FEE / 100;
        vm.assertEq(splitter.parked(address(token), PLATFORM), parked, "parked");
        assertBalance(details, address(splitter), parked, "splitter");
        vm.assertEq(_received(), balanceOf(details, MERCHANT) + parked, "received");
    }

    function test_aTokenThatGivesMoreDoesNotMakeThePaymentLarger() public {
        UnevenToken token = new UnevenToken();
        token.set(0, 100);
        vm.recordLogs();
        pay(fund(detailsOf(address(token))));
        vm.assertEq(_received(), DUE, "received");
    }

    function test_aPausedTokenPaysNothing() public {
        PaymentDetails memory details = fund(usdcDetails());
        usdc.pause();
        vm.expectRevert();
        pay(details);
        usdc.unpause();
        pay(details);
        assertSplit(details, DUE);
    }

    function test_aBlacklistedPlatformDoesNotKeepTheMerchantFromTheMoney() public {
        PaymentDetails memory details = fund(withShares(usdcDetails(), 150, 250));
        usdc.blacklist(PLATFORM);
        vm.recordLogs();
        pay(details);
        vm.assertEq(_received(), DUE, "received, the parked share included");
        assertBalance(details, MERCHANT, 96e6, "merchant");
        assertBalance(details, THIRD, 2_500_000, "third");
        assertBalance(details, address(splitter), FEE, "splitter");
        vm.assertEq(splitter.parked(address(usdc), PLATFORM), FEE, "parked");
    }

    function test_howeverAPlatformIsRefusedItsShareIsParked(uint8 how) public {
        MoodyToken token = new MoodyToken();
        MoodyToken.Refusal refusal = MoodyToken.Refusal(how % 5);
        // That one moved the tokens: pulling them again needs an allowance that the payer has not given.
        vm.assume(refusal != MoodyToken.Refusal.MovesAndAnswersFalse);
        PaymentDetails memory details = fund(detailsOf(address(token)));
        token.refuse(PLATFORM, refusal);
        pay(details);
        assertBalance(details, MERCHANT, DUE - FEE, "merchant");
        vm.assertEq(splitter.parked(address(token), PLATFORM), FEE, "parked");
        assertBalance(details, address(splitter), FEE, "splitter");
    }

    function test_aTokenThatMovesAndDeniesItIsNotPaidTwice() public {
        MoodyToken token = new MoodyToken();
        PaymentDetails memory details = fund(detailsOf(address(token)));
        token.mint(payer, DUE);
        token.refuse(PLATFORM, MoodyToken.Refusal.MovesAndAnswersFalse);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(splitter), 0, FEE)
        );
        pay(details);
    }

    function test_aRefusedMerchantRevertsEverything() public {
        PaymentDetails memory details = fund(usdcDetails());
        usdc.blacklist(MERCHANT);
        vm.expectRevert(bytes("Blacklistable: account is blacklisted"));
        pay(details);
        MoodyToken token = new MoodyToken();
        details = fund(detailsOf(address(token)));
        token.refuse(MERCHANT, MoodyToken.Refusal.AnswersFalse);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, token));
        pay(details);
        assertBalance(details, payer, DUE, "payer");
    }

    function test_noGasLimitMakesAShareParkedThatItsRecipientWouldTake(uint256 gasLimit) public {
        PaymentDetails memory details = fund(withShares(usdcDetails(), 150, 250));
        gasLimit = bound(gasLimit, 30_000, 400_000);
        vm.prank(payer);
        (bool isPaid,) = address(splitter).call{gas: gasLimit}(abi.encodeCall(splitter.splitPayment, (details)));
        if (isPaid) assertSplit(details, DUE);
        else assertBalance(details, payer, DUE, "payer");
        assertBalance(details, address(splitter), 0, "splitter");
    }

    function test_aTokenThatCallsBackFindsEveryDoorShut(uint8 door) public {
        MoodyToken token = new MoodyToken();
        PaymentDetails memory details = fund(detailsOf(address(token)));
        PaymentDetails memory other = detailsOf(address(token));
        other.paymentId = "another";
        bytes[5] memory doors = [
            abi.encodeCall(splitter.splitPayment, (other)),
            abi.encodeCall(splitter.splitPaymentBefore, (other, block.timestamp)),
            abi.encodeCall(splitter.splitPaymentWithPermit, (other, block.timestamp, 27, 0, 0)),
            abi.encodeCall(splitter.splitPaymentWithAuthorization, (other, payer, 0, block.timestamp, 27, 0, 0)),
            abi.encodeCall(splitter.payParked, (address(token), PLATFORM))
        ];
        token.callBack(address(splitter), doors[door % 5]);
        pay(details);
        vm.assertEq(token.calls(), 2, "called back at each transfer");
        vm.assertEq(
            token.answer(),
            abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector),
            "in vain"
        );
        assertSplit(details, DUE);
    }

    function test_whoPaysHimselfIsPaidWhatHePays() public {
        PaymentDetails memory details = usdcDetails();
        details.recipient1 = payer;
        fund(details);
        vm.recordLogs();
        pay(details);
        vm.assertEq(_received(), DUE, "received");
        assertBalance(details, payer, DUE - FEE, "payer and merchant");
        assertBalance(details, PLATFORM, FEE, "platform");
    }

    function test_oneWalletForAllSharesGetsAll(uint256 amount) public {
        PaymentDetails memory details = withShares(usdcDetails(), 333, 777);
        (details.recipient2, details.recipient3) = (MERCHANT, MERCHANT);
        details.amount = bound(amount, 1, 1e12);
        fund(details);
        vm.recordLogs();
        pay(details);
        vm.assertEq(_received(), details.amount, "received");
        assertBalance(details, MERCHANT, details.amount, "merchant");
    }

    function test_aFreePaymentIsRefused() public {
        PaymentDetails memory details = usdcDetails();
        details.amount = 0;
        expectError(IPaymentSplitter.AmountMustBeGreaterThanZero.selector);
        pay(details);
    }

    function test_sharesThatAreNotTheWholeAreRefused(uint256 share1, uint256 share2, uint256 share3) public {
        unchecked {
            vm.assume(share1 > BPS || share2 > BPS || share3 > BPS || share1 + share2 + share3 != BPS);
        }
        _expectSharesRefused(share1, share2, share3);
    }

    function test_sharesWhoseSumWrapsAroundAreRefused(uint256 share2, uint256 share3) public {
        unchecked {
            uint256 share1 = BPS - share2 - share3;
            vm.assume(share1 > BPS || share2 > BPS || share3 > BPS);
            _expectSharesRefused(share1, share2, share3);
            _expectSharesRefused(BPS - BPS - BPS, BPS, BPS);
        }
    }

    function test_recipientsWhoseMoneyWouldBeNobodysAreRefused(uint256 which) public {
        address[3] memory nobodies = [address(0), address(usdc), address(splitter)];
        address nobody = nobodies[which % 3];
        PaymentDetails memory details = fund(withShares(usdcDetails(), 150, 250));
        details.recipient1 = nobody;
        _expectRecipientRefused(details, nobody);
        (details.recipient1, details.recipient2) = (MERCHANT, nobody);
        _expectRecipientRefused(details, nobody);
        (details.recipient2, details.recipient3) = (PLATFORM, nobody);
        _expectRecipientRefused(details, nobody);
        details.recipient3 = THIRD;
        pay(details);
        assertSplit(details, DUE);
    }

    function test_aRecipientWithoutAShareMayBeAnyone(uint256 which) public {
        address[4] memory anyones = [address(0), address(usdc), address(splitter), payer];
        PaymentDetails memory details = usdcDetails();
        (details.recipient2, details.recipient3) = (anyones[which % 4], anyones[which / 4 % 4]);
        (details.recipient1Percentage, details.recipient2Percentage) = (BPS, 0);
        pay(fund(details));
        assertBalance(details, MERCHANT, DUE, "merchant");
    }

    function test_anAmountThatNoShareCanBeComputedOfIsRefused(uint256 amount) public {
        PaymentDetails memory details = usdcDetails();
        details.amount = bound(amount, type(uint256).max / 150 + 1, type(uint256).max);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        pay(details);
    }

    function test_aTokenThatIsNotThereOrDoesNothingPaysNobody() public {
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, STRANGER));
        pay(detailsOf(STRANGER));
        address token = address(new YesToken());
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.NothingReceived.selector, token));
        pay(detailsOf(token));
    }

    function test_itTakesNoCoinsAndNoOtherCall(uint256 value, bytes4 selector) public {
        PaymentDetails memory details = fund(usdcDetails());
        vm.deal(payer, 1 ether);
        vm.prank(payer);
        (bool isOk,) =
            address(splitter).call{value: bound(value, 1, 1 ether)}(abi.encodeCall(splitter.splitPayment, (details)));
        vm.assertTrue(!isOk, "coins");
        bytes4[8] memory known = [
            splitter.splitPayment.selector,
            splitter.splitPaymentBefore.selector,
            splitter.splitPaymentWithPermit.selector,
            splitter.splitPaymentWithAuthorization.selector,
            splitter.payParked.selector,
            splitter.isPaid.selector,
            splitter.parked.selector,
            splitter.termsHash.selector
        ];
        for (uint256 i = 0; i < known.length; ++i) {
            vm.assume(selector != known[i]);
        }
        (isOk,) = address(splitter).call(abi.encodePacked(selector, new bytes(600)));
        vm.assertTrue(!isOk, "another call");
    }

    function _expectSharesRefused(uint256 share1, uint256 share2, uint256 share3) private {
        PaymentDetails memory details = usdcDetails();
        details.recipient3 = THIRD;
        (details.recipient1Percentage, details.recipient2Percentage, details.recipient3Percentage) =
        (share1, share2, share3);
        vm.expectRevert(
            abi.encodeWithSelector(IPaymentSplitter.PercentagesMustEqual100Percent.selector, share1, share2, share3)
        );
        pay(details);
    }

    function _expectRecipientRefused(PaymentDetails memory details, address recipient) private {
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.InvalidRecipient.selector, recipient));
        pay(details);
    }

    /// @dev `received` of the payment whose logs were recorded: the first word of the last event.
    function _received() private returns (uint256 received) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        bytes memory data = logs[logs.length - 1].data;
        assembly ("memory-safe") {
            received := mload(add(data, 0x20))
        }
    }
}
