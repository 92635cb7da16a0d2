// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IPaymentSplitter} from "../src/IPaymentSplitter.sol";
import {PaymentDetails} from "../src/PaymentDetails.sol";
import {SplitterTest} from "./SplitterTest.sol";

contract SplitPaymentWithPermitTest is SplitterTest {
    uint256 private deadline;
    uint8 private v;
    bytes32 private r;
    bytes32 private s;

    function setUp() public override {
        super.setUp();
        deadline = block.timestamp + 30 minutes;
        usdc.mint(payer, DUE);
        (v, r, s) = _sign(DUE);
    }

    function test_aSignatureStandsForTheApproval() public {
        _pay(usdcDetails());
        assertSplit(usdcDetails(), DUE);
        vm.assertEq(usdc.allowance(payer, address(splitter)), 0, "no allowance is left");
    }

    function test_aPermitThatSomebodyElseUsedFirstDoesNotStopThePayment() public {
        vm.prank(STRANGER);
        usdc.permit(payer, address(splitter), DUE, deadline, v, r, s);
        _pay(usdcDetails());
        assertSplit(usdcDetails(), DUE);
    }

    function test_withoutPermitAndAllowanceNothingIsPaid() public {
        (v, r, s) = _sign(DUE - 1);
        _expectNoAllowance(address(splitter));
        _pay(usdcDetails());
        PaymentDetails memory details = usdcDetails();
        details.amount = DUE - 1;
        _pay(details);
        assertBalance(details, payer, 1, "payer");
    }

    function test_aPermitPaysOnlyForWhoSignedIt() public {
        _expectNoAllowance(address(splitter));
        vm.prank(STRANGER);
        splitter.splitPaymentWithPermit(usdcDetails(), deadline, v, r, s);
        // Used by a stranger at the token, it still is an allowance that only the payer's own call can use.
        usdc.permit(payer, address(splitter), DUE, deadline, v, r, s);
        _expectNoAllowance(address(splitter));
        vm.prank(STRANGER);
        splitter.splitPayment(usdcDetails());
        vm.assertEq(usdc.balanceOf(payer), DUE, "payer");
    }

    function test_anExpiredPermitPaysNothingEvenWithAnAllowance() public {
        fund(usdcDetails());
        vm.warp(deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.DeadlinePassed.selector, deadline, block.timestamp));
        _pay(usdcDetails());
        vm.warp(deadline);
        _pay(usdcDetails());
        assertSplit(usdcDetails(), DUE);
    }

    function test_aTokenWithoutPermitPaysFromItsAllowance() public {
        PaymentDetails memory details = fund(detailsOf(address(usdt)));
        _pay(details);
        assertSplit(details, DUE);
    }

    function _pay(PaymentDetails memory details) private {
        vm.prank(payer);
        splitter.splitPaymentWithPermit(details, deadline, v, r, s);
    }

    function _expectNoAllowance(address spender) private {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, spender, 0, DUE - FEE));
    }

    function _sign(uint256 amount) private view returns (uint8, bytes32, bytes32) {
        bytes32 structHash = keccak256(
            abi.encode(usdc.PERMIT_TYPEHASH(), payer, address(splitter), amount, usdc.nonces(payer), deadline)
        );
        return vm.sign(PAYER_KEY, keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), structHash)));
    }
}
