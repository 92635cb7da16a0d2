// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPaymentSplitter} from "../src/IPaymentSplitter.sol";
import {PaymentDetails} from "../src/PaymentDetails.sol";
import {SplitterTest} from "./SplitterTest.sol";

contract SplitPaymentBeforeTest is SplitterTest {
    function test_aPaymentIsMadeUpToTheLastSecondOfItsTime(uint256 deadline, uint256 wait) public {
        deadline = bound(deadline, block.timestamp, type(uint64).max);
        vm.warp(bound(wait, block.timestamp, deadline));
        PaymentDetails memory details = fund(usdcDetails());
        vm.prank(payer);
        splitter.splitPaymentBefore(details, deadline);
        assertSplit(details, DUE);
    }

    function test_anExpiredPaymentIsNotMade(uint256 deadline) public {
        deadline = bound(deadline, 0, block.timestamp - 1);
        PaymentDetails memory details = fund(usdcDetails());
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.DeadlinePassed.selector, deadline, block.timestamp));
        vm.prank(payer);
        splitter.splitPaymentBefore(details, deadline);
        assertBalance(details, payer, DUE, "payer");
    }

    function test_theDeadlineIsNoTerm() public {
        PaymentDetails memory details = fund(usdcDetails());
        vm.prank(payer);
        splitter.splitPaymentBefore(details, block.timestamp);
        fund(details);
        expectAlreadyUsed(details);
        vm.prank(payer);
        splitter.splitPaymentBefore(details, block.timestamp + 1);
        expectAlreadyUsed(details);
        pay(details);
    }
}
